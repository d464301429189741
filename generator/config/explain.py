"""The schema validator's errors as findings: at the place, in words, with what to do."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from generator.config import branches, wording
from generator.config.explain_value import explain_options, explain_type, explain_value, mistyped
from generator.config.ids import InputId
from generator.config.pointer import real_path
from generator.config.subschema import EvaluationPath, Schema, SchemaReader
from generator.config.suggest import did_you_mean, one_of
from generator.config.tree import MappingNode, Node, ScalarNode, Tree
from generator.domain.finding import Finding, error
from generator.domain.location import Location


def explain(tree: Tree, schema: Schema, errors: Iterable[ValidationError]) -> Iterator[Finding]:
    """One finding or more for each error; the same one may come more than once."""
    explainer = _Explainer(tree, SchemaReader(schema))
    for failed in branches.without_echoes(errors):
        yield from explainer.explain(failed)


class _Explainer:
    def __init__(self, tree: Tree, reader: SchemaReader) -> None:
        self._tree = tree
        self._reader = reader

    def explain(self, failed: ValidationError) -> Iterator[Finding]:
        path, keyword = self._path(failed), failed.evaluation_path
        node = self._tree.find(path)
        match failed.kind:
            case Kind.AnyOf(context=context) | Kind.OneOfNotValid(context=context):
                yield from self._no_form(failed, context)
            case Kind.OneOfMultipleValid():
                yield self._too_many_forms(failed, node)
            case Kind.AdditionalProperties(unexpected=names) | Kind.UnevaluatedProperties(unexpected=names):
                yield from (self._unknown_key(node, name, keyword) for name in names)
            case Kind.FalseSchema():
                yield from self._never(failed, node)
            case Kind.Not(schema={"required": [str(key)]}) if isinstance(node, MappingNode):
                yield self._excluded(node, key, self._reader.said_of(keyword, "x-message"))
            case Kind.PropertyNames(error=inner):
                yield self._wrong_name(node, inner)
            case Kind.Required(property=key):
                yield self._missing(failed, node, key)
            case Kind.Type(types=names):
                yield explain_type(self._tree, path, names, self._reader.purpose(keyword))
            case _:
                words = self._reader.said_of(keyword, "x-message")
                yield explain_value(self._tree, path, failed, words, self._reader.purpose(keyword))

    def _no_form(self, failed: ValidationError, context: Sequence[branches.Branch]) -> Iterator[Finding]:
        """Not one of several forms: what separates the place from the form that was meant."""
        path, purpose = self._path(failed), self._reader.purpose(failed.evaluation_path)
        node = self._tree.find(path)
        if keys := branches.wanted_keys(context):
            message = f"{self._noun(failed.evaluation_path)} needs {_named(keys, 'or')}"
            yield error(InputId.MISSING_KEY, self._tree.at(node), message, "add one of them")
        elif types := branches.wanted_types(failed, context):
            # Quotes make a text, but seldom one of those few that the forms take.
            told = mistyped if branches.wanted_options(failed, context) else explain_type
            yield told(self._tree, path, types, purpose)
        else:
            yield from self._nearest_form(failed, context)

    def _nearest_form(self, failed: ValidationError, context: Sequence[branches.Branch]) -> Iterator[Finding]:
        path, purpose = self._path(failed), self._reader.purpose(failed.evaluation_path)
        node = self._tree.find(path)
        options = branches.wanted_options(failed, context)
        written = [wording.plainly(option) for option in options]
        branch = branches.likely(failed, context)
        if isinstance(node, ScalarNode) and (
            did_you_mean(node.text, written) or branches.wanted_options(failed, [branch])
        ):
            yield explain_options(self._tree, path, options, purpose)
            return
        for inner in branch:
            for finding in self.explain(inner):
                of_the_value = isinstance(node, ScalarNode) and options
                yield replace(finding, help=f"or: {', '.join(written)}") if of_the_value else finding

    def _too_many_forms(self, failed: ValidationError, node: Node) -> Finding:
        forms = self._reader.holder(failed.evaluation_path).get("oneOf", ())
        asked = [key for form in forms if isinstance(form, dict) for key in form.get("required", ())]
        keys = [key for key in asked if isinstance(node, MappingNode) and key in node.values]
        words = self._reader.said_of(failed.evaluation_path, "x-message")
        if len(set(keys)) > 1 and isinstance(node, MappingNode):
            message = f"{_named(keys, 'and')} exclude each other"
            return error(
                InputId.WRONG_VALUE, self._of_key(node, keys[-1]), message, words or "keep one of them"
            )
        subject = wording.subject(self._path(failed))
        message = f"{subject} can be read in more than one way"
        return error(InputId.WRONG_VALUE, self._tree.at(node), message, words)

    def _unknown_key(self, node: Node, name: str, keyword: EvaluationPath) -> Finding:
        known = self._reader.known_keys(self._reader.holder(keyword))
        message = f"{self._noun(keyword)} has no key `{name}`"
        help_ = one_of(name, known) or "remove it: no key can stand here"
        return error(InputId.UNKNOWN_KEY, self._of_key(node, name), message, help_)

    def _never(self, failed: ValidationError, node: Node) -> Iterator[Finding]:
        """A `false` in the schema: nothing may stand there."""
        path, keyword = self._path(failed), failed.evaluation_path
        if keyword[-1:] in (["additionalProperties"], ["unevaluatedProperties"]):
            names = node.values if isinstance(node, MappingNode) else ()
            yield from (self._unknown_key(node, name, keyword) for name in names)
            return
        owner = self._tree.find(path[:-1]) if path else node
        if path and isinstance(owner, MappingNode):
            yield self._excluded(owner, str(path[-1]), "")
        else:
            message = f"{wording.subject(path)} is one too many"
            yield error(InputId.WRONG_VALUE, self._tree.at(node), message, "remove it")

    def _excluded(self, node: MappingNode, key: str, words: str) -> Finding:
        message = f"`{key}` cannot stand here"
        return error(InputId.UNKNOWN_KEY, self._of_key(node, key), message, words or "remove it")

    def _wrong_name(self, node: Node, inner: ValidationError) -> Finding:
        name = str(inner.instance)
        here = self._of_key(node, name)
        match inner.kind:
            case Kind.Enum(options=options):
                known = [str(option) for option in options]
                return error(
                    InputId.UNKNOWN_KEY, here, f"no key `{name}` can stand here", one_of(name, known)
                )
            case _:
                words = self._reader.said_of(inner.evaluation_path, "x-message") or inner.message
                purpose = self._reader.purpose(inner.evaluation_path)
                return error(InputId.WRONG_VALUE, here, f"the key `{name}` is wrong here: {words}", purpose)

    def _missing(self, failed: ValidationError, node: Node, key: str) -> Finding:
        purpose = self._reader.purpose_of_key(failed.evaluation_path, key)
        message = f"{self._noun(failed.evaluation_path)} needs the key `{key}`"
        help_ = f"add `{key}`: {purpose}" if purpose else f"add `{key}`"
        return error(InputId.MISSING_KEY, self._tree.at(node), message, help_)

    def _path(self, failed: ValidationError) -> tuple[str | int, ...]:
        return real_path(self._tree, failed.instance_path)

    def _noun(self, keyword: EvaluationPath) -> str:
        title = self._reader.said_of(keyword, "title")
        if not title:
            return "this mapping"
        return f"{'an' if title[0].lower() in 'aeiou' else 'a'} {title}"

    def _of_key(self, node: Node, name: str) -> Location:
        is_there = isinstance(node, MappingNode) and name in node.values
        return self._tree.at(node.key(name) if is_there and isinstance(node, MappingNode) else node)


def _named(keys: Sequence[str], last: str) -> str:
    return wording.listed((f"`{key}`" for key in keys), last)
