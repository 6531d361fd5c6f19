<?php

class BasketLine
{
    public $sku;
    protected $note;
    public int $qty;

    public function __construct($sku, $note, $qty)
    {
        $this->sku = $sku;
        $this->note = $note;
        $this->qty = (int) $qty;
    }

    public function __get($name)
    {
        return $this->$name;
    }
}

class BasketStore
{
    private $lines = [];
    private $wpdb;

    public function __construct()
    {
        global $wpdb;
        $this->wpdb = $wpdb;
    }

    public function add(BasketLine $line)
    {
        $this->lines[] = $line;
        return $this;
    }

    public function save()
    {
        $table = $this->wpdb->prefix . 'basket';
        foreach ($this->lines as $line) {
            $this->wpdb->query("INSERT INTO $table (note) VALUES ('{$line->note}')");
            $this->wpdb->query("UPDATE $table SET qty = {$line->qty} WHERE qty = 0");
            $this->wpdb->query($this->wpdb->prepare("DELETE FROM $table WHERE sku = %s AND qty = 0", $line->sku));
        }
    }
}

add_action('wp_ajax_nopriv_basket', function () {
    $store = new BasketStore();
    $store->add(new BasketLine(wp_unslash($_POST['sku']), wp_unslash($_POST['note']), $_POST['qty']))->save();
    wp_die('ok');
});
