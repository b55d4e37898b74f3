import { nearest } from './nearest.js';

/**
 * Names with these beginnings are meant for this service. Kubernetes' service links (GATEWAY_SERVICE_HOST …) are not.
 */
const OUR_PREFIXES = ['CLAIM_', 'PROCESSOR_', 'GATEWAY_', 'PAYMENT_RETRY_', 'TECHNICAL_RETRY_', 'RATE_LIMIT_'];
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/**
 * Warnings for names that look like settings of this service but are not: misspelt ones, and ones with its prefixes.
 * All other names in an environment belong to other programs.
 */
export function unknownSettings(names: readonly string[], known: readonly string[]): string[] {
  const warnings: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    if (meant !== undefined) warnings.push(`${name} is no setting; did you mean ${meant}?`);
    else if (OUR_PREFIXES.some((prefix) => name.startsWith(prefix)) && !SERVICE_LINK.test(name)) {
      warnings.push(`${name} is no setting; see docs/settings.md for those there are`);
    }
  }
  return warnings;
}
