#!/usr/bin/env node
import '../dist/apps/worker/src/main.js';
