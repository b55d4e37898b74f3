import { readFileSync } from 'node:fs';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Prints what Spectral's `oas` rules find in an OpenAPI document, as JSON: rule, place and sentence. */
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas] });
const found = await spectral.run(JSON.parse(readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify(found.map(({ code, path, message }) => ({ code, path: path.join('.'), message }))));
