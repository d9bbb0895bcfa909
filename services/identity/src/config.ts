import {
  address,
  choice,
  integer,
  operatorFaults,
  operatorVariables,
  publicUrlFaults,
  publicUrlVariables,
  string,
  target,
} from '@knowledge/runtime';
import { grpcClientFaults } from '@knowledge/runtime/grpc';
import { mailFaults, mailVariables } from '@knowledge/runtime/mail';
import { rules } from '@knowledge/runtime/product';
import { serviceConfig } from '@knowledge/runtime/service';

/** Reads and checks the configuration of the identity service. */
export const readIdentityConfig = serviceConfig(
  {
    ...mailVariables,
    ...operatorVariables,
    ...publicUrlVariables,
    GRPC_ADDRESS: address({ default: '127.0.0.1:50053' }),
    MONGODB_DATABASE: string({ default: 'knowledge_identity' }),
    QUOTA_ADDRESS: target({ default: '127.0.0.1:50052', description: 'who counts authorization requests' }),
    CONFIRM_USER_CODE: choice(['never', 'page', 'always'], {
      default: 'never',
      description: 'where humans must type the code of their agent',
    }),
    CODE_TTL_MINUTES: integer({
      min: 1,
      max: 1440,
      default: rules.linkMinutes,
      description: 'how long a mailed link can say yes',
    }),
  },
  mailFaults,
  operatorFaults,
  grpcClientFaults,
  publicUrlFaults,
);

export type IdentityConfig = ReturnType<typeof readIdentityConfig>;
