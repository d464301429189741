import sys

from generator.harness.cli import main
from generator.harness.world import World

if __name__ == "__main__":
    # A runner's console may not know a letter of what is said; the exit code must not depend on it.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:], World()))
