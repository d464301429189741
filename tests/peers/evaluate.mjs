// Evaluates with GitHub's own library. Lines of JSON come in, lines of JSON go out:
//   {"names": ["needs", ...], "changed": {"needs": {...}}, "true": ["success", ...]}
//       what the next lines see, sent where it changes; nothing comes out
//   {"expression": "..."}                           {"value": ..., "truthy": true} or {"error": "..."}
//   {"template": "text ${{ ... }} text"}            the same
import { createInterface } from "node:readline";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { truthy } from "@actions/expressions/result";

const STATUS_FUNCTIONS = ["success", "failure", "cancelled", "always"];

let names = [];
const values = new Map();
let contexts = new data.Dictionary();
let statusFunctions = [];
let parsed = new Map();

const set = (line) => {
  for (const [name, value] of Object.entries(line.changed)) {
    values.set(name, JSON.parse(JSON.stringify(value), data.reviver));
  }
  if (line.names.join() !== names.join()) parsed = new Map();
  names = line.names;
  contexts = new data.Dictionary(...names.map((name) => ({ key: name, value: values.get(name) })));
  const holding = new Set(["always", ...line.true]);
  statusFunctions = STATUS_FUNCTIONS.map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(holding.has(name)),
  }));
};

const tree = (expression) => {
  let found = parsed.get(expression);
  if (found === undefined) {
    found = new Parser(new Lexer(expression).lex().tokens, names, statusFunctions).parse();
    if (found === undefined) throw new Error("empty expression");
    parsed.set(expression, found);
  }
  return found;
};

const evaluate = (expression) => {
  const functions = new Map(statusFunctions.map((definition) => [definition.name, definition]));
  return new Evaluator(tree(expression), contexts, functions).evaluate();
};

// The runner ends an expression at the first `}}` that is not inside a quoted string.
const EXPRESSION = /\$\{\{((?:[^'}]|'[^']*'|\}(?!\}))*)\}\}/g;

const interpolate = (template) => {
  const whole = [...template.matchAll(EXPRESSION)];
  if (whole.length === 1 && whole[0][0] === template.trim()) return evaluate(whole[0][1]);
  return new data.StringData(template.replace(EXPRESSION, (_, inner) => evaluate(inner).coerceString()));
};

const answer = (line) => {
  try {
    const result = line.template === undefined ? evaluate(line.expression) : interpolate(line.template);
    return { value: result, truthy: truthy(result) };
  } catch (error) {
    return { error: error.message };
  }
};

const out = [];
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  if (line.names !== undefined) set(line);
  else out.push(JSON.stringify(answer(line), data.replacer));
}
process.stdout.write(out.map((text) => `${text}\n`).join(""));
