#!/usr/bin/env node
import '../dist/apps/api/src/main.js';
