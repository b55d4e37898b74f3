/** Why the embedded database cannot run here: a sentence for the person at the terminal. */
export class EmbeddedFault extends Error {
  override readonly name = 'EmbeddedFault';
}
