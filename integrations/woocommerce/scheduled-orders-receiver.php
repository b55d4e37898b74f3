<?php
/**
 * Plugin Name: Receiver of Scheduled Orders
 * Description: Takes charged orders from a scheduled-orders service: each once, paid, with the service's totals to the cent.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 * License: MIT
 */

namespace Scheduled_Orders_Receiver;

/** WooCommerce accepts its own consumer keys below every namespace that begins with `wc-`. */
const ROUTES = 'wc-scheduled-orders/v1';
/** Under which the service looks for an order of its own, over WooCommerce's REST interface, too. */
const NAME_META = '_scheduled_orders_push';

/** A request that will never succeed; the service tells the merchant why. */
class Refusal extends \Exception {}

register_activation_hook( __FILE__, __NAMESPACE__ . '\create_table' );
add_action( 'rest_api_init', __NAMESPACE__ . '\register_routes' );
add_action( 'before_woocommerce_init', __NAMESPACE__ . '\declare_compatibility' );

function table(): string {
	global $wpdb;
	return $wpdb->prefix . 'scheduled_orders_received';
}

/** One row per order that was received; the primary key is what makes it one. */
function create_table(): void {
	global $wpdb;
	$wpdb->query(
		'CREATE TABLE IF NOT EXISTS ' . table() . ' (name varchar(100) NOT NULL, order_id bigint unsigned NOT NULL,'
		. ' PRIMARY KEY (name)) ENGINE = InnoDB ' . $wpdb->get_charset_collate()
	);
}

function declare_compatibility(): void {
	\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__ );
}

function register_routes(): void {
	$may = fn() => current_user_can( 'edit_shop_orders' );
	$post = array( 'methods' => 'POST', 'callback' => __NAMESPACE__ . '\receive', 'permission_callback' => $may );
	$get = array( 'methods' => 'GET', 'callback' => __NAMESPACE__ . '\look_up', 'permission_callback' => $may );
	register_rest_route( ROUTES, '/orders', $post );
	register_rest_route( ROUTES, '/orders/(?P<name>[0-9a-z-]{1,100})', $get );
}

/** `GET …/orders/{name}`. What waits to be paid is not there yet: the service sends it again, and it is paid then. */
function look_up( $request ) {
	$order = received( $request['name'] );
	return $order && ! $order->has_status( 'pending' ) ? answer( $order, 200 ) : problem( 404, 'There is no such order.' );
}

/** `POST …/orders`, under its Idempotency-Key: 201, 200 for a repetition, 409 beside another one, 422 with a reason. */
function receive( $request ) {
	$name = (string) $request->get_header( 'idempotency_key' );
	if ( ! preg_match( '/^[0-9a-z-]{1,100}$/', $name ) ) {
		return problem( 422, 'Idempotency-Key must be the name of the order.' );
	}
	if ( ! locked( $name, 'GET_LOCK(%s, 0)' ) ) {
		return problem( 409, 'The order is being received.' );
	}
	try {
		$order = received( $name );
		$status = $order ? 200 : 201;
		$order = $order ?: create( $name, (array) $request->get_json_params() );
		if ( ! same( $order->get_total(), $request['Total'] ) ) {
			throw new Refusal( 'Under this key an order with another total was received.' );
		}
		// Also an order whose request died between the commit and here; not one that was cancelled since.
		if ( $order->has_status( 'pending' ) ) {
			$order->payment_complete( (string) $request['GatewayTransactionId'] );
			// It writes what a plugin has thrown into a note, and goes on.
			if ( $order->has_status( 'pending' ) ) {
				return problem( 500, 'The order could not be paid: its notes say why.' );
			}
		}
		return answer( $order, $status );
	} catch ( Refusal $refusal ) {
		return problem( 422, $refusal->getMessage() );
	} finally {
		locked( $name, 'RELEASE_LOCK(%s)' );
	}
}

/** A lock's name has at most 64 characters, and is the whole server's. */
function locked( string $name, string $call ): bool {
	global $wpdb;
	return '1' === (string) $wpdb->get_var( $wpdb->prepare( "SELECT $call", 'orders-' . md5( DB_NAME . table() . $name ) ) );
}

function received( string $name ) {
	$id = received_id( $name );
	return $id ? wc_get_order( $id ) : null;
}

function received_id( string $name ): int {
	global $wpdb;
	return (int) $wpdb->get_var( $wpdb->prepare( 'SELECT order_id FROM ' . table() . ' WHERE name = %s', $name ) );
}

/** The order and the row of its key, both or neither: nobody is told of it before it is paid. */
function create( string $name, array $sent ) {
	global $wpdb;
	$id = received_id( $name );
	if ( $id ) {
		throw new Refusal( "The shop had it as $id, and somebody has deleted it there." );
	}
	check_sums( $sent );
	$products = array_map( __NAMESPACE__ . '\product', $sent['OrderItems'] );
	$wpdb->query( 'START TRANSACTION' );
	try {
		$order = order( $name, $sent, $products );
		if ( ! same( $order->get_total(), $sent['Total'] ) ) {
			throw new Refusal( "The shop rounds {$sent['Total']} to {$order->get_total()}: it has too few decimals." );
		}
		$order->save();
		$row = array( 'name' => $name, 'order_id' => $order->get_id() );
		if ( 1 !== $wpdb->insert( table(), $row ) ) {
			throw new \RuntimeException( 'The row of the key could not be written.' );
		}
		$wpdb->query( 'COMMIT' );
		return $order;
	} catch ( \Throwable $error ) {
		$wpdb->query( 'ROLLBACK' );
		throw $error;
	}
}

/** The service's amounts, and none of the shop's: nothing here is calculated again. */
function order( string $name, array $sent, array $products ) {
	$order = new \WC_Order();
	$order->set_created_via( $name );
	$order->set_currency( $sent['CurrencyIso'] );
	$order->set_customer_id( customer_id( $sent['Customer']['ExternalId'] ?? null ) );
	$order->set_payment_method_title( 'Scheduled order' );
	$order->set_address( address( $sent, 'Billing' ) + email( $sent ), 'billing' );
	$order->set_address( address( $sent, 'Shipping' ), 'shipping' );
	foreach ( $sent['OrderItems'] as $at => $line ) {
		$item = new \WC_Order_Item_Product();
		$item->set_product( $products[ $at ] );
		$item->set_quantity( (int) $line['Quantity'] );
		$item->set_subtotal( $line['Total'] );
		$item->set_total( $line['Total'] );
		$item->set_taxes( array( 'total' => array( $line['TaxTotal'] ), 'subtotal' => array( $line['TaxTotal'] ) ) );
		if ( false === ( $line['IsRecurring'] ?? null ) ) {
			$item->add_meta_data( '_scheduled_orders_recurring', 'no', true );
		}
		$order->add_item( $item );
	}
	$goods_tax = array_sum( array_map( fn( $line ) => minor_units( $line['TaxTotal'] ), $sent['OrderItems'] ) );
	$places = strlen( strrchr( $sent['Total'], '.' ) ?: '.' ) - 1;
	$cart_tax = decimal( $goods_tax, $places );
	$shipping_tax = decimal( minor_units( $sent['TaxTotal'] ) - $goods_tax, $places );
	$shipping = new \WC_Order_Item_Shipping();
	$shipping->set_method_title( 'Shipping' );
	$shipping->set_method_id( 'other' );
	$shipping->set_total( $sent['ShippingTotal'] );
	$shipping->set_taxes( array( 'total' => array( $shipping_tax ) ) );
	$order->add_item( $shipping );
	$tax = new \WC_Order_Item_Tax();
	$tax->set_label( 'Tax' );
	$tax->set_tax_total( $cart_tax );
	$tax->set_shipping_tax_total( $shipping_tax );
	$order->add_item( $tax );
	$order->set_shipping_total( $sent['ShippingTotal'] );
	$order->set_cart_tax( $cart_tax );
	$order->set_shipping_tax( $shipping_tax );
	$order->set_total( $sent['Total'] );
	$order->update_meta_data( NAME_META, $name );
	return $order;
}

function product( array $line ) {
	$product = wc_get_product( (int) ( $line['ProductExternalId'] ?? 0 ) );
	if ( ! $product || 'publish' !== $product->get_status() || $product->is_type( 'variable' ) ) {
		throw new Refusal( "There is no product {$line['ProductExternalId']} that can be sold: \"{$line['Name']}\"." );
	}
	return $product;
}

function check_sums( array $sent ): void {
	$items = $sent['OrderItems'] ?? array();
	if ( ! $items || in_array( null, array_column( $items, 'Total' ), true ) ) {
		throw new Refusal( 'The order has no items, or none with amounts.' );
	}
	$sum = array_sum( array_map( fn( $line ) => minor_units( $line['Total'] ), $items ) );
	if ( $sum + minor_units( $sent['ShippingTotal'] ) + minor_units( $sent['TaxTotal'] ) !== minor_units( $sent['Total'] ) ) {
		throw new Refusal( 'The lines, shipping and tax do not add up to the total.' );
	}
}

/** One whom the shop does not know orders as a guest. */
function customer_id( ?string $id ): int {
	return $id && get_userdata( (int) $id ) ? (int) $id : 0;
}

function email( array $sent ): array {
	return empty( $sent['Customer']['Email'] ) ? array() : array( 'email' => $sent['Customer']['Email'] );
}

/** The shop prints states by their codes. */
function address( array $sent, string $kind ): array {
	$get = fn( string $field ) => (string) ( $sent[ $kind . $field ] ?? '' );
	$states = WC()->countries->get_states( $get( 'Country' ) ) ?: array();
	return array(
		'first_name' => $get( 'FirstName' ),
		'last_name'  => $get( 'LastName' ),
		'address_1'  => $get( 'Street1' ),
		'address_2'  => $get( 'Street2' ),
		'city'       => $get( 'City' ),
		'state'      => array_search( $get( 'State' ), $states, true ) ?: $get( 'State' ),
		'postcode'   => $get( 'Postcode' ),
		'country'    => $get( 'Country' ),
	);
}

/** All amounts of an order have the same places, so this is exact: `37.85` is 3785. */
function minor_units( $decimal ): int {
	return (int) str_replace( '.', '', (string) $decimal );
}

/** The shop may write more zeros. */
function same( $one, $other ): bool {
	$short = fn( $decimal ) => str_contains( $decimal, '.' ) ? rtrim( rtrim( $decimal, '0' ), '.' ) : $decimal;
	return $short( (string) $one ) === $short( (string) $other );
}

function decimal( int $minor_units, int $places ): string {
	$digits = str_pad( (string) $minor_units, $places + 1, '0', STR_PAD_LEFT );
	return 0 === $places ? $digits : substr( $digits, 0, -$places ) . '.' . substr( $digits, -$places );
}

function answer( $order, int $status ) {
	$body = array(
		'ExternalId'  => (string) $order->get_id(),
		'OrderNumber' => (string) $order->get_order_number(),
		'Total'       => (string) $order->get_total(),
	);
	return new \WP_REST_Response( $body, $status );
}

function problem( int $status, string $detail ) {
	return new \WP_REST_Response( array( 'detail' => $detail ), $status );
}
