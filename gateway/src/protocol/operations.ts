import type { TSchema } from 'typebox';
import {
  AgentEntrySchema,
  CapabilitiesSchema,
  EndpointSchema,
  FieldSchema,
  readAgentEntry,
  readCapabilities,
  readChangelog,
  readOpenApi,
  WritePayloadSchema,
} from './document-operations.js';
import type { Operation } from './operation.js';
import { PartSchema } from './part-schemas.js';
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
import {
  ArticleListSchema,
  ArticleSchema,
  BriefHighlightSchema,
  BriefIndexEntrySchema,
  BriefObjectSchema,
  CatalogEntrySchema,
  ChangelogEntrySchema,
  FailureSchema,
  HighlightSchema,
  IndexEntrySchema,
  ObjectListSchema,
  ObjectSchema,
  PromptSchema,
  QuotaSchema,
} from './schemas.js';
import { ArticleHitSchema, BriefHitSchema, ObjectHitSchema, SearchResultsSchema, search } from './search.js';
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
import {
  AuthorizationSchema,
  AuthorizeBodySchema,
  ContributionBodySchema,
  ContributionListSchema,
  ContributionSchema,
  ContributionStatusSchema,
  DecisionBodySchema,
  InquirySchema,
  IssuedTokenSchema,
  NewTextSchema,
  PendingTokenSchema,
  PromptReplySchema,
  StorySchema,
  TokenExchangeBodySchema,
  TokenExchangeSchema,
  TokenSchema,
} from './write-schemas.js';

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
    description: 'Stories, replies and inquiries: hand them in, follow them, send a new text, withdraw them.',
    operations: [submitContribution, listContributions, readContribution, reviseContribution, withdrawContribution],
  },
];

export const allOperations: readonly Operation[] = operationGroups.flatMap(({ operations }) => operations);

/** The schemas to which OpenAPI gives a name. All other schemas are written where they are used. */
export const namedSchemas: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [FailureSchema, 'Failure'],
  [IndexEntrySchema, 'ArticleEntry'],
  [BriefIndexEntrySchema, 'BriefArticle'],
  [HighlightSchema, 'Highlight'],
  [BriefHighlightSchema, 'BriefHighlight'],
  [ArticleSchema, 'Article'],
  [PartSchema, 'Part'],
  [ArticleListSchema, 'ArticleList'],
  [BriefObjectSchema, 'BriefObject'],
  [ObjectSchema, 'Object'],
  [CatalogEntrySchema, 'ObjectEntry'],
  [ObjectListSchema, 'ObjectList'],
  [ArticleHitSchema, 'ArticleHit'],
  [ObjectHitSchema, 'ObjectHit'],
  [BriefHitSchema, 'BriefHit'],
  [SearchResultsSchema, 'SearchResults'],
  [PromptSchema, 'Prompt'],
  [QuotaSchema, 'Quota'],
  [ChangelogEntrySchema, 'ChangelogEntry'],
  [CapabilitiesSchema, 'Capabilities'],
  [EndpointSchema, 'Endpoint'],
  [FieldSchema, 'Field'],
  [WritePayloadSchema, 'WritePayload'],
  [AgentEntrySchema, 'AgentEntry'],
  [AuthorizeBodySchema, 'AuthorizeRequest'],
  [AuthorizationSchema, 'Authorization'],
  [TokenExchangeSchema, 'TokenExchange'],
  [TokenExchangeBodySchema, 'TokenRequest'],
  [DecisionBodySchema, 'DecisionRequest'],
  [ContributionBodySchema, 'ContributionRequest'],
  [PendingTokenSchema, 'PendingToken'],
  [IssuedTokenSchema, 'IssuedToken'],
  [TokenSchema, 'Token'],
  [InquirySchema, 'Inquiry'],
  [StorySchema, 'Story'],
  [PromptReplySchema, 'PromptReply'],
  [NewTextSchema, 'NewText'],
  [ContributionSchema, 'Contribution'],
  [ContributionStatusSchema, 'ContributionStatus'],
  [ContributionListSchema, 'ContributionList'],
]);
