/**
 * The number in a version of a site (`RATE_VERSIONS`): the same number means the same prices, until the database is put
 * back to an earlier time.
 */
export const versionNumber = (version: string): number => Number(version.split('@')[0]);
