import {
  address,
  operatorFaults,
  operatorVariables,
  publicUrlFaults,
  publicUrlVariables,
  string,
  target,
} from '@knowledge/runtime';
import { grpcClientFaults } from '@knowledge/runtime/grpc';
import { mailFaults, mailVariables } from '@knowledge/runtime/mail';
import { serviceConfig } from '@knowledge/runtime/service';

/** Reads and checks the configuration of the contributions service. */
export const readContributionsConfig = serviceConfig(
  {
    ...mailVariables,
    ...operatorVariables,
    ...publicUrlVariables,
    GRPC_ADDRESS: address({ default: '127.0.0.1:50054' }),
    MONGODB_DATABASE: string({ default: 'knowledge_contributions' }),
    CONTENT_ADDRESS: target({ default: '127.0.0.1:50051', description: 'where published work goes' }),
    QUOTA_ADDRESS: target({ default: '127.0.0.1:50052', description: 'who counts contributions' }),
    IDENTITY_ADDRESS: target({ default: '127.0.0.1:50053', description: 'who says which access ended' }),
  },
  mailFaults,
  operatorFaults,
  grpcClientFaults,
  publicUrlFaults,
);

export type ContributionsConfig = ReturnType<typeof readContributionsConfig>;
