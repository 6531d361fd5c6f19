using System.IO;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.Http;
using MySqlConnector;

public static class StockFunction
{
    public class Change
    {
        public string Sku { get; set; }
        public int Qty { get; set; }
    }

    private static T Copy<T>(T value)
    {
        return JsonSerializer.Deserialize<T>(JsonSerializer.Serialize(value));
    }

    [FunctionName("stock")]
    public static async Task<IActionResult> Run(
        [HttpTrigger(AuthorizationLevel.Anonymous, "post")] HttpRequest req)
    {
        using var body = new StreamReader(req.Body);
        var change = Copy(JsonSerializer.Deserialize<Change>(await body.ReadToEndAsync()));

        await using var con = new MySqlConnection("Server=db;Database=stock");
        await con.OpenAsync();
        var sql = "UPDATE stock SET qty = qty + " + change.Qty + " WHERE sku = '" + change.Sku + "'";
        await new MySqlCommand(sql, con).ExecuteNonQueryAsync();
        await new MySqlCommand("UPDATE totals SET qty = qty + " + change.Qty, con).ExecuteNonQueryAsync();
        return new OkResult();
    }
}
