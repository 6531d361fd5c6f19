require 'sinatra/base'
require 'pg'

class QuoteForm
  attr_reader :customer, :region
  attr_accessor :currency

  def initialize(params)
    @customer = params['customer']
    @region = params['region'].to_s
    @currency = 'EUR'
  end
end

Price = Struct.new(:sku, :column, keyword_init: true)

class QuoteRepo
  def initialize(conn, form)
    @conn = conn
    @form = form
  end

  def rates
    @conn.exec("SELECT rate FROM rates WHERE currency = '#{@form.currency}'").values
  end

  def history
    @conn.exec("SELECT id, total FROM quotes WHERE customer = '#{@form.customer}'").values
  end

  def prices(price)
    @conn.exec_params("SELECT #{price.column} FROM prices WHERE sku = $1", [price.sku]).values
  end

  def regional
    where = "region = '#{@form.region}'"
    @conn.exec('SELECT count(*) FROM quotes WHERE ' + where).getvalue(0, 0)
  end
end

class QuoteApp < Sinatra::Base
  post '/quotes' do
    repo = QuoteRepo.new(PG.connect(dbname: 'quotes'), QuoteForm.new(params))
    price = Price.new(sku: params['sku'], column: 'net')
    [repo.rates, repo.history, repo.prices(price), repo.regional].inspect
  end
end
