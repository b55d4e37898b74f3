import { readFileSync } from 'node:fs';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const { oas } = spectralRulesets;

/**
 * A rule that compares examples with their schemas, and does it once where the same schema stands in many places: the
 * document is looked through with all its references resolved, and a schema is compiled again each time. Whether it is
 * of a request or of a response makes a difference.
 */
function onceForEach(rule) {
  const known = new Set();
  const check = (target, options, context) => {
    const sides = ['requestBody', 'requestBodies', 'responses'].map((name) => context.path.includes(name));
    const key = JSON.stringify([sides, target]);
    if (known.has(key)) return [];
    known.add(key);
    return rule.then.function(target, options, context);
  };
  return { ...rule, then: { ...rule.then, function: check } };
}

/** Prints what Spectral's `oas` rules find in an OpenAPI document, as JSON: rule, place and sentence. */
const spectral = new spectralCore.Spectral();
const rules = ['oas3-valid-schema-example', 'oas3-valid-media-example'].map((name) => [
  name,
  onceForEach(oas.rules[name]),
]);
spectral.setRuleset({ extends: [oas], rules: Object.fromEntries(rules) });
const found = await spectral.run(JSON.parse(readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify(found.map(({ code, path, message }) => ({ code, path: path.join('.'), message }))));
