/** RFC 9457, for the documentation (decisions.md §4). */
export const PROBLEM_SCHEMA = {
  type: 'object' as const,
  description: 'Problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: {
      type: 'string' as const,
      format: 'uri-reference',
      description: 'Link to the meaning of the error, and what to do.',
      example: '/docs/errors#bad-request',
    },
    title: { type: 'string' as const, description: 'The name of the status.', example: 'Bad Request' },
    status: { type: 'integer' as const, description: 'The status of the answer.', example: 400 },
    detail: {
      type: 'string' as const,
      description: 'What is wrong with this request, in a sentence.',
      example: 'Frequency: 32 must be an integer from 1 to 31.',
    },
    instance: { type: 'string' as const, description: 'The request id, also in X-Request-Id.' },
    errors: {
      type: 'array' as const,
      description: 'All faults of the body at once; with status 400 only.',
      items: {
        type: 'object' as const,
        required: ['field', 'message'],
        properties: {
          field: { type: 'string' as const, description: 'A field, a parameter or a header.', example: 'Frequency' },
          message: {
            type: 'string' as const,
            description: 'The rule that it breaks.',
            example: '32 must be an integer from 1 to 31.',
          },
        },
      },
    },
  },
};
