<?php
// php tests/run.php: prints each case, and ends with 1 when one failed.

require __DIR__ . '/stand-ins.php';
require dirname( __DIR__ ) . '/scheduled-orders-receiver.php';

use function Scheduled_Orders_Receiver\{look_up, receive, register_routes};

const KEY = '0f3a9c1e-12-tp0560';

function sent( array $change = array() ): array {
	return $change + array(
		'CurrencyIso'          => 'USD',
		'ShippingTotal'        => '5.00',
		'TaxTotal'             => '2.89',
		'Total'                => '37.86',
		'GatewayTransactionId' => 'pi_12',
		'Customer'             => array( 'ExternalId' => '2', 'Email' => 'ada@shop.example' ),
		'ShippingFirstName'    => 'Ada',
		'ShippingState'        => 'California',
		'ShippingCountry'      => 'US',
		'OrderItems'           => array( line() ),
	);
}

function line( array $change = array() ): array {
	return $change + array( 'ProductExternalId' => '10', 'Name' => 'Coffee', 'Quantity' => 3, 'Total' => '29.97', 'TaxTotal' => '2.48' );
}

function post( array $change = array(), string $key = KEY ): array {
	$response = receive( new Request( sent( $change ), $key ) );
	return array( $response->status, $response->data );
}

function get( string $key = KEY ): int {
	return look_up( new Request( array( 'name' => $key ) ) )->status;
}

$cases = array(
	'an order arrives once, paid, with our amounts' => function () {
		same( post(), array( 201, array( 'ExternalId' => '1', 'OrderNumber' => '#1', 'Total' => '37.86' ) ) );
		$order = Shop::$orders[1];
		same( array( $order->status, $order->set['transaction_id'], Shop::$mails ), array( 'processing', 'pi_12', array( 1 ) ) );
		same( array( $order->set['cart_tax'], $order->set['shipping_tax'] ), array( '2.48', '0.41' ) );
		same( $order->items[0]->set['taxes'], array( 'total' => array( '2.48' ), 'subtotal' => array( '2.48' ) ) );
		same( array( $order->set['created_via'], $order->set['customer_id'] ), array( KEY, 2 ) );
		same( $order->meta, array( '_scheduled_orders_push' => KEY ) );
		same( array( $order->addresses['shipping']['state'], $order->addresses['billing']['email'] ), array( 'CA', 'ada@shop.example' ) );
	},
	'a repetition is the same order, and nobody is mailed again' => function () {
		post();
		same( array( post()[0], post()[1]['ExternalId'], count( Shop::$orders ), Shop::$mails ), array( 200, '1', 1, array( 1 ) ) );
	},
	'beside another request with its key: 409' => function () {
		Shop::$on_payment = fn() => same( post()[0], 409 );
		same( post()[0], 201 );
		same( count( Shop::$orders ), 1 );
	},
	'a request that dies while it is paid leaves an order that a repetition pays' => function () {
		Shop::$on_payment = fn() => throw new Error( 'killed' );
		try {
			post();
		} catch ( Error ) {
			same( get(), 404 );
		}
		Shop::$on_payment = null;
		same( array( post()[0], get(), count( Shop::$orders ), Shop::$mails ), array( 200, 200, 1, array( 1 ) ) );
	},
	'an order that a plugin does not let be paid: 500, until it is paid' => function () {
		Shop::$on_payment = fn() => false;
		same( array( post()[0], get(), Shop::$mails ), array( 500, 404, array() ) );
		Shop::$on_payment = null;
		same( array( post()[0], get(), count( Shop::$orders ), Shop::$mails ), array( 200, 200, 1, array( 1 ) ) );
	},
	'one that was deleted for good is refused, and not made again' => function () {
		post();
		Shop::$orders = array();
		same( array( post()[0], get(), Shop::$orders ), array( 422, 404, array() ) );
	},
	'one that was cancelled in the shop is not paid again' => function () {
		post();
		Shop::$orders[1]->status = 'cancelled';
		same( array( post()[0], Shop::$orders[1]->status, get() ), array( 200, 'cancelled', 200 ) );
	},
	'another total under its key: 422' => function () {
		post();
		same( post( array( 'ShippingTotal' => '6.00', 'Total' => '38.86' ) )[0], 422 );
	},
	'an unknown product: 422, and nothing is left' => function () {
		$answer = post( array( 'OrderItems' => array( line( array( 'ProductExternalId' => '99' ) ) ) ) );
		same( array( $answer[0], str_contains( $answer[1]['detail'], 'no product 99' ), Shop::$orders, get() ), array( 422, true, array(), 404 ) );
	},
	'a draft, and a product that has variations: 422' => function () {
		Shop::$products += array( 11 => new Product( 11, 'draft' ), 12 => new Product( 12, 'publish', 'variable' ) );
		foreach ( array( '11', '12' ) as $id ) {
			same( post( array( 'OrderItems' => array( line( array( 'ProductExternalId' => $id ) ) ) ) )[0], 422 );
		}
	},
	'lines that do not add up, none, and without amounts: 422' => function () {
		same( post( array( 'Total' => '37.85' ) )[0], 422 );
		same( post( array( 'OrderItems' => array() ) )[0], 422 );
		same( post( array( 'OrderItems' => array( line( array( 'Total' => null ) ) ) ) )[0], 422 );
		same( Shop::$orders, array() );
	},
	'a shop without decimals: 422, and nothing is left' => function () {
		Shop::$decimals = 0;
		same( array( post()[0], Shop::$orders ), array( 422, array() ) );
	},
	'yen, which the shop writes with decimals' => function () {
		$yen = array( 'Total' => '1081', 'TaxTotal' => '81', 'ShippingTotal' => '0' );
		$items = array( 'OrderItems' => array( line( array( 'Total' => '1000', 'TaxTotal' => '81' ) ) ) );
		same( post( $yen + $items )[0], 201 );
		same( Shop::$orders[1]->set['cart_tax'], '81' );
	},
	'a customer whom the shop does not know is a guest' => function () {
		post( array( 'Customer' => array( 'ExternalId' => '77', 'Email' => '' ) ) );
		same( array( Shop::$orders[1]->set['customer_id'], Shop::$orders[1]->addresses['billing']['email'] ?? null ), array( 0, null ) );
	},
	'a line that comes in this box only says so' => function () {
		post( array( 'OrderItems' => array( line( array( 'IsRecurring' => false ) ) ) ) );
		same( Shop::$orders[1]->items[0]->meta, array( '_scheduled_orders_recurring' => 'no' ) );
		post( array( 'OrderItems' => array( line( array( 'IsRecurring' => true ) ) ) ), KEY . '1' );
		same( Shop::$orders[2]->items[0]->meta, array() );
	},
	'no key, and one of another form: 422' => function () {
		same( array( post( array(), '' )[0], post( array(), "x' OR 1" )[0] ), array( 422, 422 ) );
	},
	'only who may edit orders comes in' => function () {
		register_routes();
		$routes = array( 'POST wc-scheduled-orders/v1/orders', 'GET wc-scheduled-orders/v1/orders/(?P<name>[0-9a-z-]{1,100})' );
		foreach ( $routes as $route ) {
			Shop::$may = true;
			same( Shop::$routes[ $route ]['permission_callback'](), true );
			Shop::$may = false;
			same( Shop::$routes[ $route ]['permission_callback'](), false );
		}
	},
);

function same( $got, $wanted ): void {
	if ( $got !== $wanted ) {
		throw new Exception( 'got ' . json_encode( $got ) . ', wanted ' . json_encode( $wanted ) );
	}
}

$failed = 0;
foreach ( $cases as $name => $case ) {
	$wpdb = new Database();
	list( Shop::$orders, Shop::$mails, Shop::$on_payment, Shop::$decimals, Shop::$may ) = array( array(), array(), null, 2, true );
	Shop::$products = array( 10 => new Product( 10 ) );
	try {
		$case();
		echo "ok $name\n";
	} catch ( Throwable $error ) {
		$failed += 1;
		echo "not ok $name: {$error->getMessage()} (line {$error->getLine()})\n";
	}
}
exit( $failed > 0 ? 1 : 0 );
