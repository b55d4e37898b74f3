<?php
// The functions and classes of WordPress and WooCommerce that the receiver calls, as small as they can be.

define( 'DB_NAME', 'shop' );

class Database {
	public string $prefix = 'wp_';
	public array $rows = array();
	public array $locks = array();
	private ?array $before = null;

	public function prepare( string $statement, string $value ): string {
		return str_replace( '%s', "'$value'", $statement );
	}

	public function get_charset_collate(): string {
		return '';
	}

	public function get_var( string $statement ) {
		preg_match( "/'([^']*)'/", $statement, $quoted );
		if ( str_contains( $statement, 'GET_LOCK' ) ) {
			if ( isset( $this->locks[ $quoted[1] ] ) ) {
				return '0';
			}
			$this->locks[ $quoted[1] ] = true;
			return '1';
		}
		if ( str_contains( $statement, 'RELEASE_LOCK' ) ) {
			unset( $this->locks[ $quoted[1] ] );
			return '1';
		}
		return $this->rows[ $quoted[1] ] ?? null;
	}

	public function insert( string $table, array $row ) {
		if ( isset( $this->rows[ $row['name'] ] ) ) {
			return false;
		}
		$this->rows[ $row['name'] ] = $row['order_id'];
		return 1;
	}

	/** What a process that dies leaves behind is what was committed. */
	public function query( string $statement ): void {
		if ( 'START TRANSACTION' === $statement ) {
			$this->before = array( $this->rows, Shop::$orders );
		} elseif ( 'ROLLBACK' === $statement ) {
			array( $this->rows, Shop::$orders ) == $this->before || list( $this->rows, Shop::$orders ) = $this->before;
		}
	}
}

class Shop {
	public static array $orders = array();
	public static array $products = array();
	public static array $mails = array();
	public static array $routes = array();
	public static int $decimals = 2;
	public static bool $may = true;
	/** Called when an order is paid: a plugin of the shop. False: it threw, and WooCommerce has caught that. */
	public static ?Closure $on_payment = null;
}

class Product {
	public function __construct( public int $id, public string $status = 'publish', public string $type = 'simple' ) {}
	public function get_status(): string {
		return $this->status;
	}
	public function is_type( string $type ): bool {
		return $this->type === $type;
	}
}

/** Remembers whatever is set. */
class Item {
	public array $set = array();
	public function __call( string $name, array $values ) {
		if ( str_starts_with( $name, 'get_' ) ) {
			return $this->set[ substr( $name, 4 ) ] ?? null;
		}
		$this->set[ substr( $name, 4 ) ] = count( $values ) > 1 ? $values : $values[0];
	}
}
class WC_Order_Item_Product extends Item {
	public array $meta = array();
	public function add_meta_data( string $key, string $value, bool $unique ): void {
		$this->meta[ $key ] = $value;
	}
}
class WC_Order_Item_Shipping extends Item {}
class WC_Order_Item_Tax extends Item {}

class WC_Order extends Item {
	public int $id = 0;
	public string $status = 'pending';
	public array $items = array();
	public array $addresses = array();
	public array $meta = array();

	public function set_total( string $total ): void {
		$this->set['total'] = number_format( (float) $total, Shop::$decimals, '.', '' );
	}
	public function set_address( array $address, string $kind ): void {
		$this->addresses[ $kind ] = $address;
	}
	public function add_item( Item $item ): void {
		$this->items[] = $item;
	}
	public function update_meta_data( string $key, string $value ): void {
		$this->meta[ $key ] = $value;
	}
	public function save(): void {
		$this->id = count( Shop::$orders ) + 1;
		Shop::$orders[ $this->id ] = $this;
	}
	public function get_id(): int {
		return $this->id;
	}
	public function get_order_number(): string {
		return "#$this->id";
	}
	public function has_status( string $status ): bool {
		return $this->status === $status;
	}
	public function payment_complete( string $transaction ): void {
		if ( false === ( Shop::$on_payment ?? fn() => null )() ) {
			return;
		}
		$this->status = 'processing';
		$this->set['transaction_id'] = $transaction;
		Shop::$mails[] = $this->id;
	}
}

class WP_REST_Response {
	public function __construct( public array $data, public int $status ) {}
}

class Request implements ArrayAccess {
	public function __construct( private array $sent, private string $key = '' ) {}
	public function get_header( string $name ): string {
		return 'idempotency_key' === $name ? $this->key : '';
	}
	public function get_json_params(): array {
		return $this->sent;
	}
	public function offsetExists( mixed $name ): bool {
		return isset( $this->sent[ $name ] );
	}
	public function offsetGet( mixed $name ): mixed {
		return $this->sent[ $name ] ?? null;
	}
	public function offsetSet( mixed $name, mixed $value ): void {}
	public function offsetUnset( mixed $name ): void {}
}

function register_activation_hook(): void {}
function add_action( string $name, string $callback ): void {
	if ( 'rest_api_init' === $name ) {
		Shop::$routes['init'] = $callback;
	}
}
function register_rest_route( string $namespace, string $path, array $route ): void {
	Shop::$routes[ "{$route['methods']} $namespace$path" ] = $route;
}
function current_user_can( string $capability ): bool {
	return Shop::$may && 'edit_shop_orders' === $capability;
}
function wc_get_order( int $id ) {
	return Shop::$orders[ $id ] ?? false;
}
function wc_get_product( int $id ) {
	return Shop::$products[ $id ] ?? false;
}
function get_userdata( int $id ) {
	return 2 === $id ? (object) array( 'ID' => 2 ) : false;
}
function WC() {
	$countries = new class() {
		public function get_states( string $country ) {
			return 'US' === $country ? array( 'CA' => 'California' ) : false;
		}
	};
	return (object) array( 'countries' => $countries );
}

$wpdb = new Database();
