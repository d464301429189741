// Reads paths of workflow files, one a line, and answers each with one line of JSON: what GitHub's own parser
// finds wrong, and the jobs as it understands them, with the condition that it really evaluates.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import {
  convertWorkflowTemplate,
  isMapping,
  isSequence,
  isString,
  NoOperationTraceWriter,
  parseWorkflow,
} from "@actions/workflow-parser";

const diagnostic = (error) => ({
  line: error.range?.start.line ?? 0,
  column: error.range?.start.column ?? 0,
  message: error.rawMessage,
});

// The labels of a runner, as far as they are written out: what an expression says is known at night only.
const labels = (runsOn) => {
  if (runsOn === undefined || runsOn.isExpression) return [];
  if (isString(runsOn)) return [runsOn.value];
  if (isSequence(runsOn)) return [...runsOn].flatMap(labels);
  if (isMapping(runsOn)) return [...runsOn].filter(({ key }) => key.value === "labels").flatMap(({ value }) => labels(value));
  return [];
};

const job = (converted) => ({
  id: converted.id.value,
  name: converted.name.toDisplayString(),
  needs: (converted.needs ?? []).map((need) => need.value),
  condition: converted.if.expression,
  labels: labels(converted["runs-on"]),
  uses: (converted.steps ?? []).flatMap((step) => (step.uses === undefined ? [] : [step.uses.value])),
});

const read = async (path) => {
  const file = { name: path, content: readFileSync(path, "utf8") };
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter());
  let jobs = [];
  if (value !== undefined) {
    const workflow = await convertWorkflowTemplate(context, value);
    jobs = (workflow.jobs ?? []).map(job);
  }
  return { path, diagnostics: context.errors.getErrors().map(diagnostic), jobs };
};

const main = async () => {
  for await (const path of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await read(path))}\n`);
  }
};

main();
