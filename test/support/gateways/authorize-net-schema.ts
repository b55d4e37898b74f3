/** The order of elements of AnetApiSchema.xsd, for the requests that are spoken here. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  merchantAuthentication: ['name', 'transactionKey'],
  createTransactionRequest: ['merchantAuthentication', 'clientId', 'refId', 'transactionRequest'],
  transactionRequest: [
    'transactionType',
    'amount',
    'currencyCode',
    'payment',
    'profile',
    'solution',
    'callId',
    'terminalNumber',
    'authCode',
    'refTransId',
    'splitTenderId',
    'order',
    'lineItems',
    'tax',
    'duty',
    'shipping',
    'taxExempt',
    'poNumber',
    'customer',
    'billTo',
    'shipTo',
    'customerIP',
    'cardholderAuthentication',
    'retail',
    'employeeId',
    'transactionSettings',
    'userFields',
  ],
  profile: ['createProfile', 'customerProfileId', 'paymentProfile', 'shippingProfileId'],
  paymentProfile: ['paymentProfileId', 'cardCode'],
  order: ['invoiceNumber', 'description'],
  transactionSettings: ['setting'],
  setting: ['settingName', 'settingValue'],
  authenticateTestRequest: ['merchantAuthentication', 'clientId', 'refId'],
  getTransactionDetailsRequest: ['merchantAuthentication', 'clientId', 'refId', 'transId'],
  getTransactionListForCustomerRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'customerProfileId',
    'customerPaymentProfileId',
    'sorting',
    'paging',
  ],
  getCustomerPaymentProfileRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'customerProfileId',
    'customerPaymentProfileId',
    'unmaskExpirationDate',
    'includeIssuerInfo',
  ],
  getUnsettledTransactionListRequest: ['merchantAuthentication', 'clientId', 'refId', 'status', 'sorting', 'paging'],
  getSettledBatchListRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'includeStatistics',
    'firstSettlementDate',
    'lastSettlementDate',
  ],
  getTransactionListRequest: ['merchantAuthentication', 'clientId', 'refId', 'batchId', 'sorting', 'paging'],
  sorting: ['orderBy', 'orderDescending'],
  paging: ['limit', 'offset'],
};

const FORM: Readonly<Record<string, RegExp>> = {
  name: /^.{1,25}$/,
  transactionKey: /^.{1,16}$/,
  refId: /^.{0,20}$/,
  invoiceNumber: /^.{0,20}$/,
  description: /^.{0,255}$/,
  amount: /^\d{1,15}(\.\d{1,4})?$/,
  currencyCode: /^[A-Z]{3}$/,
  customerProfileId: /^\d+$/,
  paymentProfileId: /^\d+$/,
  customerPaymentProfileId: /^\d+$/,
  transId: /^\d+$/,
  batchId: /^\d+$/,
  includeStatistics: /^(true|false)$/,
  firstSettlementDate: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  lastSettlementDate: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  orderBy: /^(id|submitTimeUTC)$/,
  orderDescending: /^(true|false)$/,
  limit: /^([1-9]\d{0,2}|1000)$/,
  offset: /^[1-9]\d{0,5}$/,
  transactionType: /^authCaptureTransaction$/,
};

/**
 * The first fault of a request against the schema, in the gateway's words, which repeat the value; null when it is
 * valid.
 */
export function schemaFault(element: string, value: unknown): string | null {
  if (Array.isArray(value)) {
    return value.map((item) => schemaFault(element, item)).find((fault) => fault !== null) ?? null;
  }
  if (typeof value !== 'object' || value === null) {
    const form = FORM[element];
    if (!form || form.test(String(value))) return null;
    return `The 'AnetApi/xml/v1/schema/AnetApiSchema.xsd:${element}' element is invalid - The value '${String(value)}' is invalid according to its datatype.`;
  }
  const order = ORDER[element];
  if (!order) return `The element '${element}' is not expected.`;
  let last = -1;
  for (const [name, child] of Object.entries(value)) {
    const at = order.indexOf(name);
    if (at <= last) return `The element '${element}' has invalid child element '${name}'.`;
    last = at;
    const fault = schemaFault(name, child);
    if (fault) return fault;
  }
  return null;
}
