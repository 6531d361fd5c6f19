<?php

namespace App\Controllers;

use CodeIgniter\API\ResponseTrait;
use CodeIgniter\HTTP\RequestInterface;
use CodeIgniter\HTTP\ResponseInterface;
use Psr\Log\LoggerInterface;

class Tickets extends BaseController
{
    use ResponseTrait;

    private $db;
    private string $order = 'created_at DESC';

    public function initController(RequestInterface $request, ResponseInterface $response, LoggerInterface $logger)
    {
        parent::initController($request, $response, $logger);
        $this->db = db_connect();
        if ($request->hasHeader('X-Sort')) {
            $this->order = $request->getHeaderLine('X-Sort');
        }
    }

    public function index()
    {
        $status = $this->db->escape((string) $this->request->getGet('status'));
        $rows = $this->db->query("SELECT id, title FROM tickets WHERE status = $status ORDER BY id DESC");
        return $this->respond($rows->getResultArray());
    }

    public function mine()
    {
        $builder = $this->db->table('tickets')->where('owner_id', (int) session('user_id'));
        $builder->orderBy($this->order, '', false);
        return $this->respond($builder->get()->getResultArray());
    }

    public function search()
    {
        $q = $this->db->escapeLikeString((string) $this->request->getGet('q'));
        $sql = "SELECT id, title FROM tickets WHERE title LIKE '%$q%' ESCAPE '!'";
        return $this->respond($this->db->query($sql)->getResultArray());
    }

    public function byPriority()
    {
        $priority = $this->db->escapeString((string) $this->request->getGet('priority'));
        $sql = 'SELECT id, title FROM tickets WHERE priority >= ' . $priority;
        return $this->respond($this->db->query($sql)->getResultArray());
    }

    public function since()
    {
        $payload = $this->request->getJSON(true);
        $from = $payload['from'] ?? date('Y-m-d');
        $builder = $this->db->table('tickets');
        $builder->where("created_at >= '{$from}'", null, false);
        return $this->respond(['count' => $builder->countAllResults()]);
    }

    public function close(int $id)
    {
        $this->db->query("UPDATE tickets SET status = 'closed' WHERE id = {$id}");
        return $this->respondNoContent();
    }
}
