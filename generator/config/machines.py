"""ISAs, hardware, pools and quantizations of a matrix."""

from generator.config.entry import Entry
from generator.config.names import Problems
from generator.config.tree import ScalarNode
from generator.domain.hardware import Hardware, Isa, Pool, Product
from generator.domain.quantization import Quantization


def read_isas(root: Entry) -> dict[str, Isa]:
    """ISAs by key."""
    return {
        key: Isa(
            key=key,
            family=entry.text("family", key),
            vendor=entry.text("vendor"),
            location=root.entry("isas").key_location(key),
        )
        for key, entry in root.entries("isas")
    }


def read_hardware(root: Entry, isas: dict[str, Isa], problems: Problems) -> dict[str, Hardware]:
    """Hardware by key, without what names an unknown ISA."""
    found = {}
    for key, entry in root.entries("hardware"):
        isa = problems.look_up("ISA", _scalar(entry, "isa"), isas)
        if isa is None:
            problems.broken("hardware", key)
            continue
        found[key] = Hardware(
            key=key,
            title=entry.text("title"),
            isa=isa,
            products=tuple(
                Product(key=name, hbm_gb=entry.entry("products").integer(name))
                for name, _ in entry.pairs("products")
            ),
            id_part=entry.text("id_part", key),
            location=root.entry("hardware").key_location(key),
        )
    return found


def read_pools(root: Entry, hardware: dict[str, Hardware], problems: Problems) -> dict[str, Pool]:
    """Pools by key, without what names unknown hardware."""
    found = {}
    for key, entry in root.entries("pools"):
        of = problems.look_up("hardware", _scalar(entry, "hardware"), hardware)
        if of is None:
            problems.broken("pool", key)
            continue
        products = {product.key: product for product in of.products}
        named = entry.scalar("product")
        product = of.products[0] if named is None else problems.look_up("product", named, products)
        if product is None:
            problems.broken("pool", key)
            continue
        found[key] = Pool(
            key=key,
            label=entry.text("label"),
            hardware=of,
            product=product,
            gpus=entry.integer("gpus"),
            machines=entry.integer("machines"),
            location=root.entry("pools").key_location(key),
            label_location=entry.location_of("label"),
        )
    return found


def read_quantizations(root: Entry, isas: dict[str, Isa], problems: Problems) -> dict[str, Quantization]:
    """Quantizations by key; names of ISAs and formats that nothing carries are noted."""
    keys = {key: key for key, _ in root.entries("quantizations")}
    found = {}
    for key, entry in root.entries("quantizations"):
        converted = []
        for isa, node in entry.pairs("converted"):
            if isa not in isas:
                place = entry.entry("converted").key_location(isa)
                problems.unknown("ISA", isa, place, isas)
            if problems.look_up("quantization", node, keys) is not None:
                converted.append((isa, str(node.value)))
        found[key] = Quantization(
            key=key,
            runs_on=frozenset(isa.key for isa in problems.look_up_all("ISA", entry.scalars("runs_on"), isas)),
            native=frozenset(isa.key for isa in problems.look_up_all("ISA", entry.scalars("native"), isas)),
            converted=tuple(converted),
            because=entry.text("because"),
            source=entry.text("source"),
            location=root.entry("quantizations").key_location(key),
        )
    return found


def _scalar(entry: Entry, name: str) -> ScalarNode:
    node = entry.scalar(name)
    if node is None:
        raise KeyError(name)  # the schema requires it
    return node
