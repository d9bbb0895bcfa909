/** A fault in a file, with a message for its author. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}
