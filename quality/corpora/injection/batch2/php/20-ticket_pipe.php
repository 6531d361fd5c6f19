<?php

require __DIR__ . '/vendor/autoload.php';

use Ratchet\ConnectionInterface;
use Ratchet\MessageComponentInterface;
use Ratchet\Http\HttpServer;
use Ratchet\Server\IoServer;
use Ratchet\WebSocket\WsServer;

class TicketPipe implements MessageComponentInterface
{
    private SplObjectStorage $clients;
    private PDO $db;

    public function __construct(PDO $db)
    {
        $this->clients = new SplObjectStorage();
        $this->db = $db;
    }

    public function onOpen(ConnectionInterface $conn)
    {
        $this->clients->attach($conn);
    }

    public function onMessage(ConnectionInterface $from, $msg)
    {
        $m = json_decode($msg);
        if ($m->cmd === 'find') {
            $q = $this->db->query("SELECT id FROM ticket WHERE subject LIKE '%{$m->text}%'");
            $from->send(json_encode($q->fetchAll()));
        } elseif ($m->cmd === 'log') {
            $from->send(file_get_contents('/var/log/tickets/' . basename($m->day) . '.log'));
        } elseif ($m->cmd === 'note') {
            file_put_contents("/srv/tickets/$m->id.txt", $m->text . PHP_EOL, FILE_APPEND);
        }
    }

    public function onClose(ConnectionInterface $conn)
    {
        $this->clients->detach($conn);
    }

    public function onError(ConnectionInterface $conn, Exception $e)
    {
        $conn->close();
    }
}

$db = new PDO('sqlite:/srv/tickets.db');
IoServer::factory(new HttpServer(new WsServer(new TicketPipe($db))), 9100)->run();
