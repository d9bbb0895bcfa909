/** A fault in a file, with a message for its author. What it repeats of the file is cut. */
export class FileProblem extends Error {
  override readonly name: string = 'FileProblem';

  constructor(message: string) {
    super(message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message);
  }
}

/** Why a file is no text to import. It stops no other file. */
export class LeftOut extends FileProblem {
  override readonly name = 'LeftOut';
}

const mostCharacters = 1_000;
