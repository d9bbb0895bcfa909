import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { GrpcClient } from '@knowledge/runtime/client';

export type EditorialClient = GrpcClient<typeof EditorialServiceService>;
