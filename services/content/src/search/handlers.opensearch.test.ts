import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { testSearching } from '../testing/searching.js';

const { OPENSEARCH_TEST_URL } = process.env;

describe.skipIf(OPENSEARCH_TEST_URL === undefined)('a service that searches in OpenSearch', () =>
  testSearching({ SEARCH_URL: OPENSEARCH_TEST_URL, SEARCH_INDEX: `service-${randomUUID()}` }, false),
);
