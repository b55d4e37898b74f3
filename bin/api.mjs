#!/usr/bin/env node
import './check-machine.cjs';

// Only now: an old Node cannot read it.
await import('../dist/apps/api/src/main.js');
