<?php

namespace app\controllers;

use app\models\Product;
use Yii;
use yii\base\Model;
use yii\db\Expression;
use yii\web\BadRequestHttpException;
use yii\web\Controller;

class ReportForm extends Model
{
    public $month;

    public function rules()
    {
        return [
            ['month', 'required'],
            ['month', 'match', 'pattern' => '/\A\d{4}-\d{2}\z/'],
        ];
    }
}

class ProductController extends Controller
{
    public function actionIndex()
    {
        $query = Product::find()->where(['active' => 1]);
        $sort = Yii::$app->request->get('sort', 'name ASC');
        $query->orderBy(new Expression($sort));
        return $this->asJson($query->limit(100)->all());
    }

    public function actionLookup()
    {
        $pattern = $this->like(Yii::$app->request->get('sku', ''));
        $products = Product::findBySql("SELECT * FROM product WHERE sku LIKE '$pattern'")->all();
        return $this->asJson($products);
    }

    public function actionReport()
    {
        $form = new ReportForm();
        $form->month = Yii::$app->request->get('month');
        if (!$form->validate()) {
            throw new BadRequestHttpException('Invalid month');
        }
        $sql = "SELECT SUM(quantity) FROM sale WHERE DATE_FORMAT(sold_at, '%Y-%m') = '{$form->month}'";
        return $this->asJson(['sold' => Yii::$app->db->createCommand($sql)->queryScalar()]);
    }

    public function actionExport()
    {
        $format = Yii::$app->request->post('format', 'csv');
        $target = Yii::getAlias('@runtime/export/') . Yii::$app->security->generateRandomString(12);
        exec("php yii export/products --format=$format --target=$target", $output, $code);
        return $this->asJson(['file' => basename($target), 'ok' => $code === 0]);
    }

    public function actionArchive($name)
    {
        if (strpos($name, '..') !== false) {
            throw new BadRequestHttpException('Invalid name');
        }
        return Yii::$app->response->sendFile(Yii::getAlias('@runtime/archive/') . $name);
    }

    private function like(string $value): string
    {
        return strtr($value, ['%' => '\%', '_' => '\_', '*' => '%']);
    }
}
