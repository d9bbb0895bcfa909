import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { GrpcClient } from '@knowledge/runtime/grpc';

/** A client of the editors' side. */
export type EditorialClient = GrpcClient<typeof EditorialServiceService>;
