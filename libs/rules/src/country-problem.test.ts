import { countryProblem } from './country-problem.js';

describe('A shipping country that is stored', () => {
  it.each([null, '', ' ', 'US', 'usa', ' Germany '])('is no problem when it is %j', (country) => {
    expect(countryProblem(country)).toBeNull();
  });

  it.each(['Nowhere', 'Deutschland', 'Bavaria'])('is a problem when it is %j', (country) => {
    expect(countryProblem(country)).toEqual({
      code: 1006,
      name: 'ShippingCountryUnknown',
      message:
        `The ShippingCountry "${country}" is no country, so that taxes and shipping of a country do not apply: ` +
        'change it to an ISO 3166-1 code such as US, or to its English name.',
    });
  });
});
