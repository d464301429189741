import sys
from pathlib import Path

# So that every test can say `from peers.github import github_parse`.
sys.path.insert(0, str(Path(__file__).parent))
