const NAMES = /^(PATH|TZ|LANG|LC_ALL|LD_PRELOAD|NO_FAKE_STAT|FAKETIME\w*)$/;

/**
 * What every process of a test gets of our environment: the machine's programs, time zone, language and clock
 * (test/hard). The rest could be settings.
 */
export const machine = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((one): one is [string, string] => NAMES.test(one[0])));
