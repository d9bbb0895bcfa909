import { listContent, readContent } from './articles.js';
import { authorize, decideConfirmation, showConfirmation } from './authorization.js';
import { listContributions, readContribution, withdrawContribution } from './contributions.js';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from './document-operations.js';
import { listCurated } from './highlights.js';
import { listObjects, readObject } from './objects.js';
import type { Operation } from './operation.js';
import { readOutline } from './outline.js';
import { readActivePrompt } from './prompts.js';
import { readQuota } from './quota.js';
import { search } from './search.js';
import { reviseContribution, submitContribution } from './submissions.js';
import { describeToken, exchangeToken, revokeToken } from './tokens.js';

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
