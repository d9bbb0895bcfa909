/** A model that turns texts into vectors. */
export interface Embedder {
  readonly model: string;
  /**
   * Returns a vector of length 1 for each text, in their order.
   *
   * @throws EmbeddingsError, or the reason of the signal
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Why there are no vectors. The endpoint does not work, it refused the texts, or it answered something else. */
export type EmbeddingsFault = 'unreachable' | 'refused' | 'bad_answer';

/** Thrown if a model gives no vectors. The message has nothing of the texts. */
export class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError';

  constructor(
    readonly fault: EmbeddingsFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
