import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { UsageError } from '../desk-error.js';

/** The requests of a command line, where they are one and where they are a stream. */
export interface Messages {
  /** The one request. */
  one(): Promise<unknown>;
  /** Each of a JSON array, or each line of standard input as it comes. */
  many(): AsyncIterable<unknown>;
}

/** Reads requests from the argument, or from standard input for `-`. */
export function readMessages(argument: string, stdin: NodeJS.ReadableStream): Messages {
  return {
    one: async () => parse(argument === '-' ? await text(stdin) : argument),
    async *many() {
      if (argument === '-') {
        for await (const line of createInterface({ input: stdin })) if (line.trim() !== '') yield parse(line);
        return;
      }
      const messages = parse(argument);
      yield* Array.isArray(messages) ? messages : [messages];
    },
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`The request is not JSON: ${(error as Error).message}`);
  }
}
