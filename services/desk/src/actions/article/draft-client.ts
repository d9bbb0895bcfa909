import type { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { GrpcClient } from '@knowledge/runtime/client';

export type ArticleDraftClient = GrpcClient<typeof ArticleDraftServiceService>;
