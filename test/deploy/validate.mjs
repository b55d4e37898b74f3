// Standard input: an array of manifests. Standard output: what Kubernetes' schema says against each. A process of its
// own, because the schemas' packages are for ES modules alone.
import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';

const MODELS = { ConfigMap, Deployment, Job, PodDisruptionBudget, Service };

function faultOf(manifest) {
  try {
    new MODELS[manifest.kind](manifest).validate();
    return null;
  } catch (error) {
    return error.message;
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(faultOf)));
