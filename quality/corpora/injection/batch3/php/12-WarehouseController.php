<?php

namespace app\controllers;

use Yii;
use yii\web\Controller;

class StockFilter
{
    public string $depot = '';
    public int $minimum = 0;
    private string $order = 'sku';

    public static function fromRequest(): self
    {
        $filter = new self();
        $filter->depot = Yii::$app->request->get('depot', '');
        $filter->minimum = (int) Yii::$app->request->get('min', 0);

        return $filter;
    }

    public function where(): string
    {
        return "depot = '{$this->depot}'";
    }

    public function order(): string
    {
        return $this->order;
    }
}

class WarehouseController extends Controller
{
    private ?StockFilter $filter = null;

    public function beforeAction($action)
    {
        $this->filter = StockFilter::fromRequest();

        return parent::beforeAction($action);
    }

    public function actionIndex()
    {
        $sql = 'SELECT sku, amount FROM stock WHERE ' . $this->filter->where();

        return $this->asJson(Yii::$app->db->createCommand($sql)->queryAll());
    }

    public function actionLow()
    {
        $sql = 'SELECT sku FROM stock WHERE amount < ' . $this->filter->minimum . ' ORDER BY ' . $this->filter->order();

        return $this->asJson(Yii::$app->db->createCommand($sql)->queryColumn());
    }

    public function actionClear()
    {
        return Yii::$app->db->createCommand('DELETE FROM stock WHERE ' . $this->filter->where())->execute();
    }

    public function actionDepot()
    {
        $sql = 'SELECT sku FROM stock WHERE depot = :depot';

        return $this->asJson(Yii::$app->db->createCommand($sql, [':depot' => $this->filter->depot])->queryColumn());
    }
}
