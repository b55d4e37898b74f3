import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first needs a quarter less processor time: it has no windows that it could show. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** A real browser. `CHROMIUM` says where it is, unless Debian's package has put it where it is looked for. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const { CHROMIUM } = process.env;
  const executablePath = (CHROMIUM === undefined ? PROGRAMS : [CHROMIUM]).find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      `There is no ${CHROMIUM ?? PROGRAMS.join(', and no ')}: run apt-get install chromium-headless-shell, or say in CHROMIUM where a Chromium is.`,
    );
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}
