// The planned jobs as workflow files, by projen.
//
//     node with_projen.cjs jobs.json FOLDER
//
// It is run in the folder that projen is installed in. projen also writes what else it keeps for a project.
"use strict";

const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");

const installed = createRequire(path.join(process.cwd(), "package.json"));
const { Project } = installed("projen");
const { GitHub, GithubWorkflow } = installed("projen/lib/github");

const OUTPUT = /^\$\{\{ steps\.([\w-]+)\.outputs\.([\w-]+) \}\}$/;

function stepOf(step) {
  return {
    id: step.id,
    name: step.name,
    if: step.if,
    timeoutMinutes: step["timeout-minutes"],
    uses: step.uses,
    with: step.with,
    run: step.run,
    env: step.env,
    continueOnError: step["continue-on-error"],
  };
}

function outputsOf(outputs) {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, text]) => {
      const [, stepId, outputName] = OUTPUT.exec(text);
      return [name, { stepId, outputName }];
    }),
  );
}

function jobOf(job) {
  return {
    name: job.name,
    needs: job.needs,
    if: job.if,
    runsOn: [job["runs-on"]],
    timeoutMinutes: job["timeout-minutes"],
    permissions: job.permissions,
    outputs: job.outputs && outputsOf(job.outputs),
    env: job.env,
    steps: job.steps.map(stepOf),
  };
}

const [, , jobsFile, folder] = process.argv;
process.env.PROJEN_DISABLE_POST = "1";
const project = new Project({ name: "nights", outdir: folder });
const github = new GitHub(project, { mergify: false, pullRequestLint: false });
for (const workflow of JSON.parse(fs.readFileSync(jobsFile, "utf8"))) {
  const made = new GithubWorkflow(github, workflow.name, { fileName: workflow.file });
  made.on({ workflowDispatch: {} });
  made.addJobs(Object.fromEntries(Object.entries(workflow.jobs).map(([id, job]) => [id, jobOf(job)])));
}
project.synth();
