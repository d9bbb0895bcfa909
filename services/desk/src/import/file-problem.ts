/** A fault in a file, with a message for its author. What it repeats of the file is cut. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';

  constructor(message: string) {
    super(message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message);
  }
}

const mostCharacters = 1_000;
