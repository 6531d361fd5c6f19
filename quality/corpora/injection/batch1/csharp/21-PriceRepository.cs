using Microsoft.AspNetCore.Mvc;
using Npgsql;

namespace Prices;

[ApiController]
[Route("price")]
public class PriceRepository : ControllerBase
{
    private readonly NpgsqlConnection _con;

    public PriceRepository(NpgsqlConnection con) => _con = con;

    [HttpGet]
    public object? Get(string list, string sku)
    {
        var cmd = new NpgsqlCommand("SELECT price FROM price WHERE list = '" + list + "' AND sku = @sku", _con);
        cmd.Parameters.AddWithValue("sku", sku);
        cmd.Prepare();
        return cmd.ExecuteScalar();
    }

    [HttpPut]
    public int Put(string sku, decimal price)
    {
        var cmd = new NpgsqlCommand("UPDATE price SET price = @price WHERE sku = @sku", _con);
        cmd.Parameters.AddWithValue("sku", sku);
        cmd.Parameters.AddWithValue("price", price);
        cmd.Prepare();
        return cmd.ExecuteNonQuery();
    }
}
