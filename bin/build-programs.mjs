#!/usr/bin/env node
// The second half of a build: makes the programs in dist/ when the compiler has written new modules to build/, or a package has another version.
import { fileURLToPath } from 'node:url';
import { whenChanged } from './when-changed.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SOURCES = ['build', 'package.json', 'package-lock.json', 'bin/bundle.mjs', 'bin/notices.mjs'];

// Written last.
await whenChanged(inRoot('dist/THIRD-PARTY-NOTICES.txt'), SOURCES.map(inRoot), () => import('./bundle.mjs'));
