export { csvHead, csvLines, unguarded } from './csv.js';
