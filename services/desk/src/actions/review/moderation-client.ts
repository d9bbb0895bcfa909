import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { GrpcClient } from '@knowledge/runtime/client';

export type ModerationClient = GrpcClient<typeof ModerationServiceService>;
