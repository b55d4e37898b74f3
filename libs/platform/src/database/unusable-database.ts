/** Why a database that answers cannot be used: a whole sentence. Waiting does not change it. */
export class UnusableDatabase extends Error {}
