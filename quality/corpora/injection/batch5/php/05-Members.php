<?php

namespace App\Controllers;

use CodeIgniter\Controller;
use CodeIgniter\HTTP\RequestInterface;
use CodeIgniter\HTTP\ResponseInterface;
use Config\Database;
use Psr\Log\LoggerInterface;

class Members extends Controller
{
    protected $db;
    protected string $club = '';

    public function initController(RequestInterface $request, ResponseInterface $response, LoggerInterface $logger)
    {
        parent::initController($request, $response, $logger);
        $this->db = Database::connect();
        $this->club = $request->getCookie('club') ?? 'main';
    }

    public function search()
    {
        $term = $this->db->escapeLikeString($this->request->getGet('q') ?? '');
        $rows = $this->db->query("SELECT id, name FROM members WHERE name LIKE '%" . $term . "%' ESCAPE '!'");
        return $this->response->setJSON($rows->getResultArray());
    }

    public function show($number)
    {
        $row = $this->db->query('SELECT * FROM members WHERE number = ' . $this->db->escape($number));
        return $this->response->setJSON($row->getRowArray());
    }

    public function fees()
    {
        $year = $this->db->escapeString($this->request->getGet('year') ?? '2024');
        $sql = 'SELECT member_id, SUM(amount) AS paid FROM fees'
            . ' WHERE fee_year = ' . $year . ' GROUP BY member_id';
        return $this->response->setJSON($this->db->query($sql)->getResultArray());
    }

    public function roster()
    {
        $builder = $this->db->table('members');
        $builder->select('id, name, joined_on');
        $builder->where("club = '{$this->club}' AND left_on IS NULL", null, false);
        return $this->response->setJSON($builder->get()->getResultArray());
    }

    public function ranking()
    {
        $builder = $this->db->table('results');
        $order = $this->request->getPost('order') ?? 'points DESC';
        foreach (explode(',', $order) as $part) {
            $builder->orderBy(trim($part), '', false);
        }
        return $this->response->setJSON($builder->get(100)->getResultArray());
    }
}
