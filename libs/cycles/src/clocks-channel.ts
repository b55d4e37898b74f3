/** Workers listen here: a test clock was asked to move, or an order is due by its site's clock (migration 37). */
export const CLOCKS_CHANNEL = 'scheduled_orders_clocks';
