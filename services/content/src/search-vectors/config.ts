import { type Config, integer, text, url } from '@knowledge/runtime';

/** The settings of search by meaning (deploy/README.md#search-by-meaning). */
export const embeddingsVariables = {
  EMBEDDINGS_URL: url({
    optional: true,
    description: 'the embeddings endpoint (protocol of OpenAI) for search by meaning, which is off without it',
  }),
  EMBEDDINGS_MODEL: text({ optional: true, max: 200, description: 'the model that the endpoint is asked for' }),
  EMBEDDINGS_KEY: text({
    ...{ optional: true, secret: true, max: 4096, pattern: /^[!-~]+$/, expected: 'printable ASCII without spaces' },
    description: 'the Bearer token for the endpoint',
  }),
  EMBEDDINGS_QUERY_MS: integer({
    min: 10,
    max: 1000,
    default: 150,
    description: 'how long a search waits for the vector of its query; then it ranks by words alone',
  }),
  EMBEDDINGS_MEGABYTES: integer({
    min: 1,
    max: 4096,
    default: 16,
    description: 'memory of the vectors of texts; of further texts only the best by words are compared',
  }),
};

export type EmbeddingsConfig = Config<typeof embeddingsVariables>;

/** Finds settings that do not fit each other. */
export function embeddingsFaults({ EMBEDDINGS_URL: address, EMBEDDINGS_MODEL: model }: EmbeddingsConfig): string[] {
  if (address === undefined) return [];
  const { username, password } = new URL(address);
  return [
    ...(model === undefined ? ['EMBEDDINGS_MODEL must be set with EMBEDDINGS_URL'] : []),
    ...(username + password === '' ? [] : ['EMBEDDINGS_URL must have no user or password; expected EMBEDDINGS_KEY']),
  ];
}
