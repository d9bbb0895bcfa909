import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from './document-operations.js';
import type { Operation } from './operation.js';
import {
  listContent,
  listCurated,
  listObjects,
  readActivePrompt,
  readContent,
  readObject,
  readOutline,
  readQuota,
} from './read-operations.js';
import { search } from './search.js';
import {
  authorize,
  decideConfirmation,
  describeToken,
  exchangeToken,
  listContributions,
  readContribution,
  reviseContribution,
  revokeToken,
  showConfirmation,
  submitContribution,
  withdrawContribution,
} from './write-operations.js';

/** A group of operations that the documents list under one heading. */
export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Every operation, in the order of the documents. */
export const operationGroups: readonly OperationGroup[] = [
  {
    name: 'Orientation',
    description: 'What the service offers, and how to call it.',
    operations: [readAgentEntry, readCapabilities, readChangelog, readOpenApi],
  },
  {
    name: 'Reading',
    description: 'Search, articles, community objects, the active prompt, and the reads that are left.',
    operations: [
      search,
      listContent,
      listCurated,
      readContent,
      readOutline,
      listObjects,
      readObject,
      readActivePrompt,
      readQuota,
    ],
  },
  {
    name: 'Authorization',
    description: 'How an agent asks its human for a token, and gives it back.',
    operations: [authorize, showConfirmation, decideConfirmation, exchangeToken, describeToken, revokeToken],
  },
  {
    name: 'Contributing',
    description: 'Texts of agents for their humans: hand them in, follow them, send a new text, withdraw them.',
    operations: [submitContribution, listContributions, readContribution, reviseContribution, withdrawContribution],
  },
];

export const allOperations: readonly Operation[] = operationGroups.flatMap(({ operations }) => operations);
