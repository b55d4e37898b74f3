import { api, ask, type Resource } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { RateBody } from './kinds.ts';

const PROPOSED = 'TaxRates[0].';
const TERMS = 'Terms.';

/** The name that the form has for it; undefined for what is no field of the rate. */
function fieldOf(path: string): string | undefined {
  if (!path.startsWith(PROPOSED)) return undefined;
  const field = path.slice(PROPOSED.length);
  return field.startsWith(TERMS) ? field.slice(TERMS.length) : field;
}

/**
 * Asks the API what is wrong with a tax rate and its Terms, before either is stored.
 * @throws ApiProblem with the faults of both. Whatever else is wrong, storing them will say.
 */
export async function checkTaxRate(siteId: number, rate: RateBody, terms: Resource<'TaxRateTermsBody'>): Promise<void> {
  const proposed = { ...rate, Terms: terms } as Resource<'ProposedTaxRate'>;
  const body = { Address: {}, Lines: [], TaxRates: [proposed] };
  try {
    await ask(api.POST('/api/Site/{siteId}/Explain/Rates', { params: { path: { siteId } }, body }));
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const faults = error.faults.flatMap(({ field: path, message }) => {
      const field = fieldOf(path);
      return field === undefined ? [] : [{ field, message }];
    });
    if (faults.length > 0) throw new ApiProblem(error.status, error.title, error.message, faults);
  }
}
