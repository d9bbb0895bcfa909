import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from './document-operations.js';
import type { Operation } from './operation.js';
import {
  listContent,
  listCurated,
  listObjects,
  readActivePrompt,
  readContent,
  readObject,
  readQuota,
} from './read-operations.js';
import {
  authorize,
  decideConfirmation,
  describeToken,
  exchangeToken,
  listContributions,
  readContribution,
  revokeToken,
  showConfirmation,
  submitContribution,
  withdrawContribution,
} from './write-operations.js';

/** The operations in the groups and the order in which the documents tell of them. */
export const operationGroups: readonly { readonly name: string; readonly operations: readonly Operation[] }[] = [
  { name: 'Orientation', operations: [readAgentEntry, readCapabilities, readChangelog, readOpenApi] },
  {
    name: 'Reading',
    operations: [listContent, listCurated, readContent, listObjects, readObject, readActivePrompt, readQuota],
  },
  {
    name: 'Authorization',
    operations: [authorize, showConfirmation, decideConfirmation, exchangeToken, describeToken, revokeToken],
  },
  {
    name: 'Contributing',
    operations: [submitContribution, listContributions, readContribution, withdrawContribution],
  },
];

/** The whole protocol; what of it is served is what `registerOperation` was called for. */
export const allOperations: readonly Operation[] = operationGroups.flatMap(({ operations }) => operations);
